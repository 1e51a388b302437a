import { supertypes } from "../classes/supertypes.ts";

/** Types of Java's library and what each inherits from directly, as far as methods take one or the other. */
export const SUPERTYPES = supertypes(`
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
`);
