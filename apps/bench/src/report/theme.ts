/**
 * Colours of both themes. The hues are in a fixed order that keeps neighbours apart for colour-blind readers; the dark
 * theme has its own steps of the same hues.
 */
const LIGHT = `
  --page: #f6f5f2; --surface: #ffffff; --ink: #16181d; --ink-2: #5b606b; --grid: #e3e2dd; --edge: #dcdad3;
  --accent: #1f5fa8; --wash: #eef3f9; --bad: #b3261e; --document: #7a4b00;
  --hue-1: #2a78d6; --hue-2: #e07b1a; --hue-3: #12926a; --hue-4: #c2407f;
  --hue-5: #6a55c2; --hue-6: #b08a00; --hue-7: #4a9ec9; --hue-8: #a5603a;
  --phase-1: #9aa7b8; --phase-2: #4f6d8f; --phase-3: #8fb8a8; --phase-4: #2f5d62; --phase-5: #c9b79c; --phase-6: #7d6b7d;
  --size-1: #86a0c4; --size-2: #6f93c4; --size-3: #5b83bd; --size-4: #315fa3; --size-5: #173d78;
  --yes: #1d7a46; --no: #b3261e;`;
const DARK = `
  --page: #121316; --surface: #1b1d21; --ink: #eceae6; --ink-2: #a3a7b0; --grid: #33363d; --edge: #30333a;
  --accent: #8dbcf2; --wash: #1c2632; --bad: #ff8a80; --document: #e8b565;
  --hue-1: #5b9ceb; --hue-2: #ef9a4a; --hue-3: #38b78d; --hue-4: #e274a9;
  --hue-5: #9d8cf0; --hue-6: #cfab2e; --hue-7: #79c3e8; --hue-8: #cf8f68;
  --phase-1: #76859a; --phase-2: #9db9d6; --phase-3: #5f8f7e; --phase-4: #7fc3c4; --phase-5: #b59f7c; --phase-6: #a993a9;
  --size-1: #3b4d68; --size-2: #4f6d98; --size-3: #6a90c6; --size-4: #93b4e0; --size-5: #c3d8f2;
  --yes: #6fd19a; --no: #ff8a80;`;

/** Both themes as custom properties of `selector`, chosen by the reader's system. */
export function themeCss(selector: string): string {
  return `${selector} {${LIGHT}\n}\n@media (prefers-color-scheme: dark) {\n${selector} {${DARK}\n}\n}`;
}
