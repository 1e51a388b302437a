/** What Rust's library does with functions as values. */

/** Methods that put their arguments into a list, a table, a cell or a channel. */
export const STORES = /^(?:push(?:_back|_front)?|insert|or_insert|get_or_insert|extend|replace|set|swap|(?:try_|blocking_)?send)$/;
/** Methods that give what they are given, alone or in something. */
export const PASSES = /^(?:or|unwrap_or|map_or|chain|replace|insert)$/;
/** Types whose values are what the function gives that they are made with. */
export const LAZY = /^(?:LazyLock|LazyCell|Lazy|SyncLazy)$/;
/** Methods that give what the function gives that they are given. */
export const GIVES = /^(?:get_or_init|get_or_insert_with|or_insert_with|unwrap_or_else)$/;
/** Functions that run what they are given. */
export const RUNS = /^(?:spawn\w*|catch_unwind|from_fn|scope)$/;
/** Functions that give the two ends of a channel: what goes into one comes out of the other. */
export const CHANNELS = /^(?:(?:sync_|broadcast_|oneshot_)?channel|(?:un)?bounded(?:_channel)?)$/;
