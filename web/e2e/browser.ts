/** The real Chromium of this machine, driven by playwright-core. */
import { existsSync } from "node:fs";
import { chromium, type Browser, type Page } from "@playwright/test";

/**
 * The popup of the address bar: two pages in a process of their own for each window, which take a second of processor time. The rest is what
 * Playwright turns off, since Chromium takes the last of two such flags alone.
 */
const disabledFeatures = [
  "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
  "AimEnabled", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades",
  "LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch", "ThirdPartyStoragePartitioning",
];

/** Whoever starts a browser gives it these, and a profile of its own. */
export const chromiumFlags = [
  "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", `--disable-features=${disabledFeatures.join(",")}`,
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];

export function chromiumPath(): string {
  const path = [
    "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ].find((p) => existsSync(p));
  if (!path) throw new Error("no Chromium found; scripts/browser.sh installs one");
  return path;
}

export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), headless: true, args: chromiumFlags });
}

/** What the app tells about itself on `window.gitnexus`. */
export interface AppState {
  link: { state: string; reason?: string };
  agents: { name: string }[];
  calls: { name: string; outcome?: string }[];
  loaded: { repo: string; nodes: number; edges: number; phases: { phase: string; ms: number }[] } | null;
  highlighted: string[];
  annotations: { nodeId: string; label: string }[];
  selected: string | null;
  drawnNodes: number;
  picture: {
    camera: { x: number; y: number; span: number } | null;
    /** The same, also while everything is in view. */
    seen: { x: number; y: number; span: number };
    nodes: { id: string; x: number; y: number; r: number; shape: string }[];
    labels: { x: number; y: number; width: number; height: number }[];
    frames: { begun: number; painted: number }[];
  } | null;
}

export async function appState(page: Page): Promise<AppState> {
  return page.evaluate(async () => {
    const told = window as unknown as { gitnexus?: { state(): AppState } };
    // The page first loads all that runs in it.
    for (const end = performance.now() + 20_000; !told.gitnexus && performance.now() < end;) await new Promise((resolve) => setTimeout(resolve, 20));
    if (!told.gitnexus) throw new Error("this page is not the app, or did not load");
    return told.gitnexus.state();
  });
}

/** Counts the different colours in a screenshot, by letting a page decode it. */
export async function colours(browser: Browser, png: Buffer): Promise<number> {
  const page = await browser.newPage();
  try {
    return await page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d")!;
      context.drawImage(image, 0, 0);
      const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
      return new Set(pixels).size;
    }, png.toString("base64"));
  } finally {
    await page.close();
  }
}
