// Validates CycloneDX files by the official schema, and says what each holds.
import { readFileSync } from "node:fs";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";

for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, "utf8");
  const { specVersion, components, metadata } = JSON.parse(text);
  if (!Object.values(Spec.Version).includes(specVersion)) throw new Error(`${file}: CycloneDX ${specVersion} is not known here`);
  const wrong = await new Validation.JsonStrictValidator(specVersion).validate(text);
  if (wrong !== null) throw new Error(`${file}: ${JSON.stringify(wrong)}`);
  if (!components?.length || !metadata?.component?.version) throw new Error(`${file} names no components`);
  console.log(`${file}: CycloneDX ${specVersion}, ${components.length} components`);
}
