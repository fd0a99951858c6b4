// SPDX-License-Identifier: Apache-2.0
/// Identifies an item of the library for the lifetime of the database. Never reused for another item.
public typealias ItemID = Int64
