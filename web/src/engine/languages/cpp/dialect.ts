const CPP_PATH = /\.(?:cc|cpp|cxx|c\+\+|hh|hpp|hxx|h\+\+|ipp|tpp|txx|tcc|inl|cppm|ixx)$/i;
const C_PATH = /\.c$/;
const SOURCE_PATH = /\.(?:c|cc|cpp|cxx|c\+\+)$/i;
/** What only C++ says, outside of comments and texts. */
const CPP_WORDS = /^[ \t]*(?:(?:inline[ \t]+)?namespace\b|using[ \t]+\w|template[ \t]*<|(?:public|private|protected)[ \t]*:|(?:class|enum[ \t]+class)[ \t]+\w+)|\b\w+::~?\w|\bstd::|\bvirtual[ \t]|\bconstexpr\b|\bnoexcept\b|#[ \t]*include[ \t]*<\w+>|\bconst[ \t]+\w+[ \t]*&|\)[ \t]*(?:const[ \t]*)?override\b|=[ \t]*(?:default|delete)[ \t]*;|\boperator[ \t]*(?:\(\)|\[\]|[-+*/%<>=!&|^~]{1,3})[ \t]*\((?:const\b|\w+[ \t]+\w|\w+[ \t]*&|\))/m;
const NOISE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"/g;
/** What a C header says to C++ only. */
const FOR_CPP = /^[ \t]*#[ \t]*(?:ifdef[ \t]+__cplusplus|if[ \t]+defined[ \t(]+__cplusplus)[^\n]*\n[\s\S]*?^[ \t]*#[ \t]*(?:else|endif)/gm;

export function isCPath(path: string): boolean {
  return C_PATH.test(path);
}

/** Whether other files include it. */
export function isHeader(path: string): boolean {
  return !SOURCE_PATH.test(path);
}

export function isCppPath(path: string): boolean {
  return CPP_PATH.test(path);
}

/** Whether a file is C++ rather than C: by its ending, and a `.h` by what it says. */
export function isCpp(path: string, text: string): boolean {
  if (isCPath(path)) return false;
  if (isCppPath(path)) return true;
  return CPP_WORDS.test(text.replace(NOISE, "").replace(FOR_CPP, ""));
}
