/** The code of the view's own Workers. Imported first: the view starts them while it is imported. */
import { setCode } from "../src/code.ts";
import arrange from "../src/ui/graph/arrange.worker.ts?worker&url";
import paint from "../src/ui/graph/paint.worker.ts?worker&url";

setCode({ build: undefined, workers: { arrange, paint }, wasm: {} });
