/** The code of the view's own Worker. Imported first: the view starts it while it is imported. */
import { setCode } from "../src/code.ts";
import arrange from "../src/ui/graph/arrange.worker.ts?worker&url";

setCode({ build: undefined, workers: { arrange }, wasm: {} });
