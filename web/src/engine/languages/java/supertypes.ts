/** Types of Java's library and what each inherits from directly, as far as methods take one or the other. */
const DIRECT = `
Collection: Iterable
List Set Queue BlockingQueue: Collection
SortedSet NavigableSet: Set SortedSet
Deque BlockingDeque: Queue
TreeSet: NavigableSet
LinkedList: List Deque
ArrayDeque: Deque
Stack: Vector
Vector: List
SortedMap ConcurrentMap Hashtable: Map
NavigableMap: SortedMap
TreeMap: NavigableMap
ConcurrentHashMap: ConcurrentMap
Properties: Hashtable
Closeable: AutoCloseable
InputStream: Closeable
OutputStream Writer: Closeable Flushable
PrintStream StringBuilder StringBuffer Writer: Appendable
Reader: Closeable Readable
StringBuilder StringBuffer CharBuffer: CharSequence
Stream Connection Statement ResultSet Socket ServerSocket Channel: AutoCloseable
Class: AnnotatedElement GenericDeclaration Type
Method Constructor: Executable
Executable: AccessibleObject Member GenericDeclaration
Field: AccessibleObject Member
AccessibleObject Parameter Package: AnnotatedElement
ParameterizedType TypeVariable GenericArrayType WildcardType: Type
BigDecimal BigInteger AtomicInteger AtomicLong: Number
ExecutorService: Executor
Path: Iterable
Exception Error: Throwable
RuntimeException: Exception
ArithmeticException ClassCastException ConcurrentModificationException DateTimeException IllegalArgumentException IllegalStateException: RuntimeException
IndexOutOfBoundsException NoSuchElementException NullPointerException SecurityException UncheckedIOException UnsupportedOperationException: RuntimeException
NumberFormatException: IllegalArgumentException
FileNotFoundException EOFException UnknownHostException SocketException MalformedURLException: IOException
ClassNotFoundException NoSuchMethodException NoSuchFieldException InvocationTargetException IllegalAccessException: ReflectiveOperationException
`;

/** By its name, all that a type of the library inherits from. */
export const SUPERTYPES: ReadonlyMap<string, readonly string[]> = closure();

function closure(): Map<string, string[]> {
  const direct = new Map<string, string[]>();
  for (const line of DIRECT.trim().split("\n")) {
    const [names, above] = line.split(": ").map((part) => part.split(" ")) as [string[], string[]];
    for (const name of names) direct.set(name, [...(direct.get(name) ?? []), ...above]);
  }
  const all = new Map<string, string[]>();
  for (const name of direct.keys()) {
    const found = new Set([name]);
    for (const one of found) for (const above of direct.get(one) ?? (one.endsWith("Exception") ? ["Exception"] : [])) found.add(above);
    found.delete(name);
    all.set(name, [...found]);
  }
  return all;
}
