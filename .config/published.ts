/**
 * Whether the packages are on npm. Until the first release, READMEs and pages install tarballs of a clone. The commit
 * of the release sets it to true and runs `pnpm install-lines`, which writes the other lines. `pnpm release` refuses
 * before.
 */
export const IS_PUBLISHED: boolean = false;
