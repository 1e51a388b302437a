/** What methods and functions from elsewhere do with what they are given, by their names. */

/** Methods of lists, tables and queues that put what they are given into them. */
export const WRITES: ReadonlySet<string> = new Set("append appendleft add insert extend extendleft update setdefault put put_nowait push __setitem__".split(" "));
/** Functions that put their second argument into their first. */
export const PUSHES: ReadonlySet<string> = new Set("heappush insort insort_left insort_right".split(" "));
/** Methods of lists, tables and queues that give what is in them. */
export const READS: ReadonlySet<string> = new Set("get get_nowait pop popleft popitem values items copy setdefault union __getitem__ __iter__".split(" "));
/** Functions from elsewhere that keep nothing of what they are given in what they return. */
export const FORGETFUL = /^(?:map|property|len|str|repr|int|float|bool|bytes|id|hash|print|type|vars|dir|isinstance|issubclass|callable|hasattr|setattr|any|all|sum|(?:functools\.)?reduce|inspect\..*|re\..*|logging\..*|threading\.Thread|asyncio\..*)$/;
