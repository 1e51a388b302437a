// States what does not compile any more when a function takes one more argument that has to be given:
//   node signatures.mjs DIR FUNCTIONS.json OUT.json
// FUNCTIONS is a list of {file, name, line}; OUT has for each a list of {file, line, message}, or null where there is no such function.
import fs from "node:fs";
import ts from "typescript";
import { bare, isFunctionLike, textOf } from "../names.mjs";
import { openProject } from "../project.mjs";

/** A type that no value of the code base has. */
const BROKEN = "broken: { readonly broken: never }";

const [dir, functions, out] = process.argv.slice(2);
if (!dir || !functions || !out) throw new Error("usage: node signatures.mjs DIR FUNCTIONS.json OUT.json");
const project = openProject(dir, false);
const before = new Set(errorsOf(project.program).map(keyOf));
const parsed = new Map(project.program.getSourceFiles().map((source) => [source.fileName, source]));
fs.writeFileSync(out, JSON.stringify(JSON.parse(fs.readFileSync(functions, "utf8")).map(brokenBy)));

function brokenBy({ file, name, line }) {
  const source = project.sources.find(({ fileName }) => project.relative(fileName) === file);
  const found = source && functionAt(source, name, line);
  if (!found) return null;
  const text = withParameter(source.text, found);
  const changed = ts.createSourceFile(source.fileName, text, { languageVersion: project.options.target, impliedNodeFormat: source.impliedNodeFormat }, true);
  const host = { ...project.host, getSourceFile: (path, ...rest) => (path === source.fileName ? changed : parsed.get(path) ?? project.host.getSourceFile(path, ...rest)) };
  const program = ts.createProgram(project.program.getRootFileNames(), project.options, host, project.program);
  return errorsOf(program).filter((error) => !before.has(keyOf(error)));
}

function errorsOf(program) {
  return program.getRootFileNames().map((file) => program.getSourceFile(file)).filter(Boolean).flatMap((source) => program.getSemanticDiagnostics(source))
    .filter(({ category }) => category === ts.DiagnosticCategory.Error)
    .map(({ file, start, code, messageText }) => ({
      file: project.relative(file.fileName), line: file.getLineAndCharacterOfPosition(start).line + 1,
      message: `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    }));
}

function keyOf({ file, line, message }) {
  return `${file}:${line} ${message}`;
}

/** The function whose name stands in a line: declared, a method, or the value of a variable or a property. */
function functionAt(source, name, line) {
  const visit = (node) => {
    const named = node.name && textOf(node.name) === name && source.getLineAndCharacterOfPosition(node.name.getStart(source)).line + 1 === line;
    const value = named ? (isFunctionLike(node) ? node : bare(node.initializer)) : undefined;
    return value && isFunctionLike(value) ? value : ts.forEachChild(node, visit);
  };
  return visit(source);
}

/** The parameter comes last, so that the others keep their places; before what takes the rest. */
function withParameter(text, { parameters }) {
  const last = parameters.at(-1);
  const insert = (at, what) => text.slice(0, at) + what + text.slice(at);
  if (!last) return insert(parameters.pos, BROKEN);
  if (last.dotDotDotToken) return insert(last.getStart(), `${BROKEN}, `);
  if (text[parameters.pos - 1] === "(") return insert(last.end, `, ${BROKEN}`);
  return `${text.slice(0, last.getStart())}(${last.getText()}, ${BROKEN})${text.slice(last.end)}`; // a => b
}
