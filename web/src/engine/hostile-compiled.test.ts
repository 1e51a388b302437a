import { LANGUAGES, SCRIPTS, testHostile } from "../../test/hostile.ts";

testHostile(Object.keys(LANGUAGES).filter((name) => !SCRIPTS.includes(name)));
