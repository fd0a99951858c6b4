-- What the devices of a household share, in a project of Supabase: run it in the SQL editor, or by psql. It can be run again, and brings an
-- older one up to date. See nightstand(1), "household".

-- Who is of which household. A member invites a second user by a row for him, and nothing changes for that user until he accepts it:
--   insert into nightstand_member(household, member) values ('THE HOUSEHOLD', 'HIS ID IN AUTHENTICATION');
--   update nightstand_member set accepted = true where household = 'THE HOUSEHOLD';
-- From then on he sees both. His speakers stay with the household that they were of first, until he deletes his row of that one.
create table if not exists public.nightstand_member (
  household uuid not null,
  member uuid not null default auth.uid(),
  joined timestamptz not null default now(),
  primary key (household, member)
);
-- The rows of an older schema were in use.
alter table public.nightstand_member add column if not exists accepted boolean not null default true;
alter table public.nightstand_member alter column accepted set default false;
create index if not exists nightstand_member_member on public.nightstand_member (member, joined);

create sequence if not exists public.nightstand_revision;

-- A record as `journal` tells it. Nothing is ever deleted here: what was taken away is a row without a value.
create table if not exists public.nightstand_record (
  household uuid not null,
  kind text not null check (kind ~ '^[a-z]{1,20}$'),
  key text not null check (octet_length(key) between 1 and 2048),
  -- Not jsonb, which writes an object anew: which of two values counts is decided by their bytes, here as on every device.
  value json check (octet_length(value::text) <= 4096),
  -- Sixteen hexadecimal digits each, so that their order is that of their letters.
  time text not null check (time ~ '^[0-9a-f]{16}$'),
  device text not null check (device ~ '^[0-9a-f]{16}$'),
  name text not null default '' check (octet_length(name) <= 1024),
  -- Counts up with each change; devices ask for what is behind the last that they have seen.
  revision bigint not null,
  primary key (household, kind, key)
);
create index if not exists nightstand_record_revision on public.nightstand_record (household, revision);

-- Of two records of one key the later counts: by time, then device, value, name, as on every device. So who comes late undoes nothing, and
-- who sends the same again makes no news of it.
create or replace function public.nightstand_keep_later() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Revisions of one household become visible in their order, or a device that asks in between would miss one for ever.
  perform pg_advisory_xact_lock(hashtextextended('nightstand ' || new.household::text, 0));
  if tg_op = 'UPDATE' then
    if row(new.household, new.kind, new.key) is distinct from row(old.household, old.kind, old.key) then
      raise exception 'a record stays what it is of' using errcode = '23514';
    end if;
    if row(new.time collate "C", new.device collate "C", coalesce(new.value::text, '') collate "C", new.name collate "C")
       <= row(old.time collate "C", old.device collate "C", coalesce(old.value::text, '') collate "C", old.name collate "C") then
      return null;
    end if;
  end if;
  new.revision := nextval('public.nightstand_revision');
  return new;
end $$;
create or replace trigger nightstand_keep_later before insert or update on public.nightstand_record
  for each row execute function public.nightstand_keep_later();

-- The households of who asks. It looks past the policies of the table, which ask it themselves.
create or replace function public.nightstand_households() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select household from public.nightstand_member where member = auth.uid() and accepted
$$;

-- The household of who asks: the first that he was of, or a new one. So nobody is drawn into another's.
create or replace function public.nightstand_household() returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  found_one uuid;
begin
  if auth.uid() is null then
    raise exception 'not signed in' using errcode = '42501';
  end if;
  -- Two devices that ask at once get one.
  perform pg_advisory_xact_lock(hashtextextended('nightstand member ' || auth.uid()::text, 0));
  select household into found_one from public.nightstand_member
    where member = auth.uid() and accepted order by joined, household limit 1;
  if found_one is null then
    found_one := gen_random_uuid();
    insert into public.nightstand_member(household, member, accepted) values (found_one, auth.uid(), true);
  end if;
  return found_one;
end $$;

alter table public.nightstand_member enable row level security;
alter table public.nightstand_record enable row level security;

drop policy if exists nightstand_member_seen on public.nightstand_member;
create policy nightstand_member_seen on public.nightstand_member for select to authenticated
  using (member = auth.uid() or household in (select public.nightstand_households()));
drop policy if exists nightstand_member_invited on public.nightstand_member;
create policy nightstand_member_invited on public.nightstand_member for insert to authenticated
  with check (not accepted and household in (select public.nightstand_households()));
drop policy if exists nightstand_member_accepted on public.nightstand_member;
create policy nightstand_member_accepted on public.nightstand_member for update to authenticated
  using (member = auth.uid()) with check (member = auth.uid());
drop policy if exists nightstand_member_left on public.nightstand_member;
create policy nightstand_member_left on public.nightstand_member for delete to authenticated using (member = auth.uid());

drop policy if exists nightstand_record_own on public.nightstand_record;
create policy nightstand_record_own on public.nightstand_record to authenticated
  using (household in (select public.nightstand_households()))
  with check (household in (select public.nightstand_households()));

-- A project gives all of a new table to everybody; here nobody has more than he needs.
revoke all on public.nightstand_member, public.nightstand_record, public.nightstand_revision from public, anon, authenticated;
grant select, insert, delete, update (accepted) on public.nightstand_member to authenticated;
grant select, insert, update on public.nightstand_record to authenticated;
revoke all on function public.nightstand_households(), public.nightstand_household(), public.nightstand_keep_later()
  from public, anon, authenticated;
grant execute on function public.nightstand_households(), public.nightstand_household() to authenticated;
