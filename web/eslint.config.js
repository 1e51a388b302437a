import tseslint from "typescript-eslint";

const WORDS = "/[A-Za-z]{2}/";
/** Two words that follow each other, but for queries, keys, HTTP headers, selectors and media queries. */
const PHRASE = "/^(?!MATCH |VS Code|[.(]).*[A-Za-z]{2,}[,.:;!?]? [A-Za-z]/";
/** A word beside a value. */
const BESIDE = "/^(?!Bearer |Ctrl ).*[A-Za-z]{2,}[,.:;]? $|^[,.:;]? [A-Za-z]/";
const TEXT_ATTRIBUTES = "/^(?:title|label|aria-label|aria-valuetext|placeholder|alt|waiting|note|words)$/";
const NO_TEXT = "JSXAttribute[name.name=/^(?:class|style|key|text|d|rel)$/] *";
const message = "What the user reads comes from src/ui/strings.ts.";
const STRING = "MemberExpression[object.object.name='strings']";
const CALL = "CallExpression[callee.object.object.name='strings']";
const OF_STRINGS = `JSXExpressionContainer:matches(:has(> ${STRING}), :has(> ${CALL}))`;
const inJsx = [
  `JSXText[value=${WORDS}]:not(JSXElement[openingElement.name.name='code'] > JSXText)`,
  `JSXAttribute[name.name=${TEXT_ATTRIBUTES}] > Literal[value=${WORDS}]`,
  `JSXAttribute[name.name=${TEXT_ATTRIBUTES}] > JSXExpressionContainer > :matches(Literal[value=${WORDS}], TemplateLiteral:has(TemplateElement[value.raw=${WORDS}]))`,
  `JSXAttribute[name.name=${TEXT_ATTRIBUTES}] > JSXExpressionContainer > ConditionalExpression > Literal[value=${WORDS}]`,
  `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > Literal[value=${WORDS}]`,
  `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > :matches(ConditionalExpression, LogicalExpression) > Literal[value=${WORDS}]`,
  `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > TemplateLiteral > TemplateElement[value.raw=${WORDS}]`,
].map((selector) => ({ selector, message }));
/** Text anywhere: whole phrases, words beside values, what errors say. */
const anywhere = [
  `Literal[value=${PHRASE}]:not([regex]):not(${NO_TEXT}):not(Property > Literal.key):not(Property[key.name=/^(?:key|tag|why)$/] > Literal):not(TSLiteralType > Literal)`,
  `TemplateLiteral[expressions.length>0] > TemplateElement[value.raw=${BESIDE}]:not(${NO_TEXT})`,
  `TemplateElement[value.raw=${PHRASE}]:not(${NO_TEXT})`,
  `Property[key.name=/^(?:title|words|label|detail|body)$/] > :matches(Literal[value=${WORDS}], ConditionalExpression > Literal[value=${WORDS}])`,
  `NewExpression[callee.name=/Error$/] > :matches(Literal, TemplateLiteral)`,
].map((selector) => ({ selector, message }));
/** Sentences put together out of parts, which other languages put together in another order. */
const composed = [
  `${OF_STRINGS} ~ ${OF_STRINGS}`,
  `${OF_STRINGS} ~ JSXExpressionContainer > CallExpression[callee.name=/^(?:count|counted|size|duration)$/]`,
  `JSXExpressionContainer:has(> CallExpression[callee.name=/^(?:count|counted|size|duration)$/]) ~ ${OF_STRINGS}`,
  `TemplateLiteral[expressions.length>1] > :matches(${STRING}, ${CALL})`,
  `BinaryExpression[operator='+'] > :matches(${STRING}, ${CALL})`,
].map((selector) => ({ selector, message: "A sentence stands in src/ui/strings.ts as a whole; parts/sentence.tsx puts elements into it." }));

export default tseslint.config(
  { ignores: ["dist/", "build/", "node_modules/", "**/fixtures/", "**/testdata/", "e2e/samples/"] },
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Numbers read well in messages; everything else must be made a string on purpose.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // With noUncheckedIndexedAccess a checked index still has `undefined` in its type.
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ["src/ui/**/*.ts", "src/ui/**/*.tsx"],
    // Programming languages and SVG; a reason that the link's log has.
    ignores: ["src/ui/strings/**", "src/ui/**/*.test.ts", "src/ui/tokens.ts", "src/ui/graph/pens.ts", "src/ui/code/theme.ts", "src/ui/code/cypher-words.ts", "src/ui/presence.ts"],
    rules: { "no-restricted-syntax": ["error", ...inJsx, ...anywhere, ...composed] },
  },
);
