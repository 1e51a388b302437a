const CPP_PATH = /\.(?:cc|cpp|cxx|c\+\+|hh|hpp|hxx|h\+\+|ipp|tpp|txx|tcc|inl|cppm|ixx)$/i;
const C_PATH = /\.c$/;
const SOURCE_PATH = /\.(?:c|cc|cpp|cxx|c\+\+)$/i;
/** What only C++ says, outside of comments and texts. */
const CPP_WORDS = /^[ \t]*(?:(?:inline[ \t]+)?namespace\b|using[ \t]+\w|template[ \t]*<|(?:public|private|protected)[ \t]*:|(?:class|enum[ \t]+class)[ \t]+\w+)|\b\w+::~?\w|\bstd::|\bvirtual[ \t]|\bconstexpr\b|\bnoexcept\b|#[ \t]*include[ \t]*<\w+>|\bconst[ \t]+\w+[ \t]*&|\)[ \t]*(?:const[ \t]*)?override\b|=[ \t]*(?:default|delete)[ \t]*;|\boperator[ \t]*(?:\(\)|\[\]|[-+*/%<>=!&|^~]{1,3})[ \t]*\((?:const\b|\w+[ \t]+\w|\w+[ \t]*&|\))/m;
/** A constructor in a struct, or a parameter with a value in the prototype that ends with it. */
const CPP_PARTS = /\bstruct\s+(?:\w+\s+)?(\w+)\s*\{(?:[^{}]{0,600}?[;:])?\s*(?:explicit\s+|inline\s+)?\1\s*\((?!\s*\*)|\w[\s*&]+\w+\s*=\s*[\w.]+\s*\)\s*;/;
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
  const code = text.replace(NOISE, "").replace(FOR_CPP, "");
  return CPP_WORDS.test(code) || CPP_PARTS.test(code);
}
