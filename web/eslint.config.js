import tseslint from "typescript-eslint";

const WORDS = "/[A-Za-z]{2}/";
const TEXT_ATTRIBUTES = "/^(?:title|label|aria-label|aria-valuetext|placeholder|alt|waiting|note)$/";
const message = "What the user reads comes from src/ui/strings.ts.";
/** Text in JSX: between tags, in attributes that are read out or shown, and as the outcome of a condition between tags. */
const literals = [
  `JSXText[value=${WORDS}]`,
  `JSXAttribute[name.name=${TEXT_ATTRIBUTES}] > Literal[value=${WORDS}]`,
  `JSXAttribute[name.name=${TEXT_ATTRIBUTES}] > JSXExpressionContainer > :matches(Literal[value=${WORDS}], TemplateLiteral:has(TemplateElement[value.raw=${WORDS}]))`,
  `JSXAttribute[name.name=${TEXT_ATTRIBUTES}] > JSXExpressionContainer > ConditionalExpression > Literal[value=${WORDS}]`,
  `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > Literal[value=${WORDS}]`,
  `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > :matches(ConditionalExpression, LogicalExpression) > Literal[value=${WORDS}]`,
  `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > TemplateLiteral > TemplateElement[value.raw=${WORDS}]`,
].map((selector) => ({ selector, message }));

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
    files: ["src/ui/**/*.tsx"],
    rules: { "no-restricted-syntax": ["error", ...literals] },
  },
);
