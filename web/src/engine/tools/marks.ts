/** Decorators, annotations and attributes: by them code that no edge tells of may get hold of a function or type. */
import { literal } from "./literal.ts";

/** By language, those that nobody finds a function by, and that do no more with it than call it where it is called. */
const INERT: Readonly<Record<string, ReadonlySet<string>>> = {
  python: words("property cached_property staticmethod classmethod abstractmethod abstractproperty abstractclassmethod abstractstaticmethod overload override final wraps lru_cache cache "
    + "singledispatch singledispatchmethod contextmanager asynccontextmanager dataclass total_ordering no_type_check runtime_checkable unique"),
  java: words("Override Deprecated SuppressWarnings SafeVarargs FunctionalInterface Nullable NotNull NonNull Nonnull CheckForNull VisibleForTesting Generated CanIgnoreReturnValue CheckReturnValue GuardedBy Contract "
    + "Immutable ThreadSafe NotThreadSafe Retention Target Documented Inherited"),
  csharp: words("Obsolete MethodImpl Conditional DebuggerStepThrough DebuggerHidden DebuggerNonUserCode DebuggerDisplay StackTraceHidden Pure SuppressMessage ExcludeFromCodeCoverage DoesNotReturn EditorBrowsable "
    + "Serializable Flags CLSCompliant StructLayout FieldOffset MustUseReturnValue NotNullIfNotNull MaybeNull MemberNotNull SkipLocalsInit RequiresUnreferencedCode UnconditionalSuppressMessage CompilerGenerated "
    + "GeneratedCode DllImport LibraryImport GeneratedRegex"),
  rust: words("inline cold must_use allow warn deny forbid expect deprecated doc derive cfg cfg_attr track_caller non_exhaustive repr target_feature rustfmt::skip instrument tracing::instrument automatically_derived"),
  php: words("Override Deprecated Pure ReturnTypeWillChange SensitiveParameter AllowDynamicProperties Attribute ArrayShape NoReturn"),
  cpp: words("nodiscard maybe_unused noreturn deprecated fallthrough likely unlikely no_unique_address assume always_inline noinline cold unused warn_unused_result nonnull returns_nonnull format const pure malloc hot packed "
    + "aligned visibility nothrow sentinel flatten leaf artificial alloc_size may_alias"),
};
/** Python's decorators of these modules go by their last name; those of another object, as in `registry.cache`, are that object's. */
const MODULES = /^(?:functools|abc|typing|typing_extensions|contextlib|dataclasses|enum|builtins)\./;
const ACCESSOR = /\.(?:setter|getter|deleter)$/;

/** A line above a declaration that belongs to it: a mark, or a comment. */
const ABOVE = /^\s*(?:(?:@\w|#!?\[|\[\[?\s*\w|__attribute__|\/\/(?:go:|export )).*[^;{}\s]\s*$|\/\/\/|\*|\/\*)/;
const COMMENT = /^\s*(?:\/\/\/|\*|\/\*|#(?!\[)).*/gm;
const TEXT = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/g;

/** Of a declaration: its name, where it begins and where its name stands, as lines from 1. */
interface Declared {
  name: string;
  language: string;
  startLine: number;
  line: number;
}

/** Names of what marks a declaration, as they are written, without those that say nothing of who uses it. `lines` are those of its file. */
export function marksOf(lines: readonly string[], { name, language, startLine, line }: Declared): string[] {
  let first = startLine;
  while (first > 1 && ABOVE.test(lines[first - 2]!)) first--;
  const last = lines[line - 1] ?? "";
  const end = last.search(new RegExp(`(?<![\\w$])${literal(name)}(?![\\w$])`));
  const before = bare(`${lines.slice(first - 1, line - 1).join("\n")}\n${last.slice(0, Math.max(0, end))}`, language);
  // In a class of one line, the marks of the members before this one stand on the line as well.
  const marks = namesIn(before.slice(1 + before.search(/[;{}][^;{}]*$/)), language);
  return [...new Set(marks)].filter((mark) => !isInert(mark, language));
}

function isInert(mark: string, language: string): boolean {
  const known = INERT[language === "c" ? "cpp" : language];
  if (language === "python") return ACCESSOR.test(mark) || known!.has(mark.replace(MODULES, ""));
  if (language === "rust") return known!.has(mark);
  return known?.has(mark.split(/\.|::|\\/).at(-1)!.replace(/Attribute$/, "")) === true;
}

/** Without comments, texts and arguments. */
function bare(text: string, language: string): string {
  let plain = text.replace(COMMENT, "").replace(TEXT, "");
  if (language === "c" || language === "cpp") plain = plain.replace(/__attribute__\s*\(\((.*?)\)\)/g, "[[$1]]");
  for (let before = ""; before !== plain;) [before, plain] = [plain, plain.replace(/\([^()]*\)/g, "")];
  return plain;
}

function namesIn(text: string, language: string): string[] {
  const all = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, inside]) => inside!);
  switch (language) {
    case "csharp":
      return all(/\[([^[\]]*)\]/g).flatMap(listed);
    case "rust":
    case "php":
      return all(/#\[([^\]]*)\]/g).flatMap(listed);
    case "c":
    case "cpp":
      return all(/\[\[([^\]]*)\]\]/g).flatMap(listed);
    case "go":
      return all(/^\/\/(export|go:linkname|go:wasmexport) /gm);
    default:
      return all(/(?<![\w$)\]])@([\w.$]+)/g);
  }
}

/** The names of a list of attributes. */
function listed(inside: string): string[] {
  return inside.split(",").flatMap((part) => /^\s*(?:\w+:\s+)?([\w.:\\]+)/.exec(part)?.[1] ?? []);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
