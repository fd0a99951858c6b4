// SPDX-License-Identifier: Apache-2.0
/// Names an item of the library for as long as the database lives; never given to another item.
public typealias ItemID = Int64
