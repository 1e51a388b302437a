/** What methods and functions from elsewhere do with what they are given, by their names. */

/** Methods of lists, tables and queues that put what they are given into them. */
export const WRITES: ReadonlySet<string> = new Set("append appendleft add insert extend extendleft update setdefault put put_nowait push __setitem__".split(" "));
/** Functions that put their second argument into their first. */
export const PUSHES: ReadonlySet<string> = new Set("heappush insort insort_left insort_right".split(" "));
/** Methods of lists, tables and queues that give what is in them. */
export const READS: ReadonlySet<string> = new Set("get get_nowait pop popleft popitem values items copy setdefault union __getitem__ __iter__".split(" "));
/** Methods of signals from elsewhere that keep the function that they are given, and those that run what is kept. */
export const CONNECTS: ReadonlySet<string> = new Set("connect connect_via subscribe add_listener add_receiver".split(" "));
export const SENDS: ReadonlySet<string> = new Set("send send_robust asend asend_robust emit fire notify publish".split(" "));
/** Methods that run a task, or tell of a call of it to be made: of functions that a decorator makes tasks (Celery, Dramatiq, Procrastinate, Ray). */
export const RUNS_TASK: ReadonlySet<string> = new Set("delay apply_async apply s si signature send send_with_options defer defer_async remote".split(" "));
/** The same of objects of classes that are tasks, which have a method `run` (Celery). */
export const RUNS_RUN: ReadonlySet<string> = new Set("delay apply_async s si".split(" "));
/** Functions from elsewhere that keep nothing of what they are given in what they return. */
export const FORGETFUL = /^(?:map|property|len|str|repr|int|float|bool|bytes|id|hash|print|type|vars|dir|isinstance|issubclass|callable|hasattr|setattr|any|all|sum|(?:functools\.)?reduce|inspect\..*|re\..*|logging\..*|threading\.Thread|asyncio\..*)$/;
