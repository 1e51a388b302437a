import { Flag } from "./facts.ts";
import { type Type, UNKNOWN } from "./types.ts";

/** Functions of the C library: a name that a project declares nowhere in sight is the library's. */
const LIBC = new Set((
  "abort abs accept access acos asin atan atan2 atexit atof atoi atol atoll assert bind bsearch calloc ceil chdir chmod chown clock close closedir connect cos ctime dup dup2 errno execl execv execvp exit _exit " +
  "exp fabs fclose fcntl fdopen feof ferror fflush fgetc fgets fileno floor fmod fopen fork fprintf fputc fputs fread free freopen frexp fscanf fseek fsetpos fstat fsync ftell ftruncate fwrite getaddrinfo getc " +
  "getchar getcwd getenv gethostbyname getopt getpeername getpid getrusage getsockname getsockopt gettimeofday gmtime gmtime_r htonl htons inet_ntoa ioctl isalnum isalpha isascii iscntrl isdigit isgraph isinf " +
  "islower isnan isprint ispunct isspace isupper isxdigit kill labs ldexp link listen localtime localtime_r log log10 log2 longjmp lseek lstat malloc memchr memcmp memcpy memmove memset mkdir mkstemp mktime mmap modf " +
  "munmap nanosleep ntohl ntohs open opendir pclose perror pipe poll popen pow pread printf pthread_create pthread_join pthread_mutex_lock pthread_mutex_unlock putc putchar puts pwrite qsort raise rand random read " +
  "readdir readlink realloc realpath recv recvfrom remove rename rewind rmdir round scanf select send sendto setenv setjmp setlocale setsockopt setvbuf shutdown sigaction signal sin sleep snprintf socket sprintf " +
  "sqrt srand sscanf stat strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup strerror strftime strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strspn strstr strtod strtok " +
  "strtok_r strtol strtoll strtoul strtoull sysconf system tan time tmpfile tolower toupper trunc umask uname ungetc unlink unsetenv usleep va_arg va_copy va_end va_start vfprintf vprintf vsnprintf vsprintf wait " +
  "waitpid write").split(" "));

/** Members that every container of the library has: a guess by such a name is none. */
const COMMON = new Set(("begin end cbegin cend rbegin rend size empty clear push_back pop_back emplace_back emplace push pop insert erase find count at front back resize reserve data c_str length " +
  "substr append compare get reset release str swap first second lock unlock load store value has_value what join wait notify_one notify_all top assign capacity").split(" "));

const POINTERS = /^(?:unique_ptr|shared_ptr|weak_ptr|scoped_ptr|scoped_refptr|intrusive_ptr|optional|reference_wrapper|observer_ptr|not_null|auto_ptr|atomic|RefPtr|QPointer|QSharedPointer|QScopedPointer)$/;
const FUNCTIONS = /^(?:(?:move_only_|copyable_)?function|function_ref|packaged_task)$/;
const MAPS = /(?:^|_)(?:multi)?map$|^(?:QMap|QHash)$|_map$/;
const SAME = /^(?:move|forward|ref|cref|as_const|min|max|clamp|exchange|addressof|get|static_pointer_cast)$/;
const NUMBERS = /^(?:size|length|count|find|rfind|find_first_of|find_last_of|compare|capacity|distance|use_count)$/;

export function isLibrary(name: string): boolean {
  return LIBC.has(name);
}

export function isCommon(name: string): boolean {
  return COMMON.has(name);
}

export function foreign(name: string, args: readonly Type[] = [], flags = 0): Type {
  return { kind: "foreign", name, args, flags };
}

/** What `*x`, `x->` gives for a library's type. */
export function pointedBy(type: Type): Type {
  if (type.kind !== "foreign") return UNKNOWN;
  if (POINTERS.test(type.name)) return pointer(type.args[0] ?? UNKNOWN);
  if (/^(?:reverse_)?iterator$/.test(type.name)) return type.args[0] ?? UNKNOWN;
  return UNKNOWN;
}

/** What `x[i]` gives. */
export function indexedIn(type: Type): Type {
  if (type.kind !== "foreign") return UNKNOWN;
  if (MAPS.test(type.name)) return type.args[1] ?? UNKNOWN;
  if (/string/.test(type.name)) return foreign("char");
  return type.args[0] ?? UNKNOWN;
}

/** What a loop over it gives. */
export function elementOf(type: Type): Type {
  if (type.kind !== "foreign") return UNKNOWN;
  if (MAPS.test(type.name)) return foreign("pair", type.args);
  return type.args[0] ?? UNKNOWN;
}

/** What a call of a value gives: `std::function<T()>` is read as one with the argument T. */
export function calledGives(type: Type): Type {
  return type.kind === "foreign" && FUNCTIONS.test(type.name) ? (type.args[0] ?? UNKNOWN) : type;
}

/** What a member of a library's type gives. */
export function memberOf(type: Type, name: string): Type {
  if (type.kind !== "foreign") return UNKNOWN;
  const { args } = type;
  if (type.name === "pair") return (name === "first" ? args[0] : name === "second" ? args[1] : undefined) ?? UNKNOWN;
  if (POINTERS.test(type.name)) return /^(?:get|value|lock|release|load|value_or|operator->)$/.test(name) ? pointer(args[0] ?? UNKNOWN) : UNKNOWN;
  if (/^(?:begin|end|cbegin|cend|c?rbegin|c?rend|find|lower_bound|upper_bound|insert|erase)$/.test(name) && args.length > 0) return foreign(/^c?r/.test(name) ? "reverse_iterator" : "iterator", [elementOf(type)]);
  if (MAPS.test(type.name)) return name === "at" ? (args[1] ?? UNKNOWN) : NUMBERS.test(name) ? foreign("int") : UNKNOWN;
  if (/^(?:at|front|back|top|emplace_back)$/.test(name)) return args[0] ?? UNKNOWN;
  if (/^(?:c_str|data)$/.test(name) && args.length === 0) return foreign("char", [], Flag.Pointer);
  if (name === "substr") return foreign(type.name);
  if (/^(?:str|string)$/.test(name)) return foreign("string");
  if (NUMBERS.test(name)) return foreign("int");
  if (name === "empty") return foreign("bool");
  return UNKNOWN;
}

/** What a function of the library gives, of its first argument's type. */
export function givesFirst(name: string): boolean {
  return SAME.test(name);
}

function pointer(type: Type): Type {
  return type.kind === "unknown" ? type : { ...type, flags: type.flags | Flag.Pointer };
}
