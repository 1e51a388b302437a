// RAN_SETTINGS has the aliases, the conditions and the environment of codebases.json.
const { aliases = {}, conditions = [], environment = "node" } = JSON.parse(process.env.RAN_SETTINGS);
const root = process.env.RAN_ROOT;
const resolve = {
  // The longest first: one may begin with another.
  alias: Object.entries(aliases).sort(([a], [b]) => b.length - a.length).map(([find, to]) => ({ find, replacement: `${root}/${to}` })),
  conditions,
};

export default {
  // A field that only has a type is none: it would hide what the base class has.
  oxc: { typescript: { removeClassFieldsWithoutInitializer: true } },
  root, resolve, ssr: { resolve: { conditions } },
  test: { environment, globals: true, pool: "forks", testTimeout: 5000, includeTaskLocation: true, typecheck: { enabled: false }, watch: false },
};
