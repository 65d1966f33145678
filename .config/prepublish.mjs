// Refuses to publish a package by hand, before anything is packed: `npm publish` keeps the `exports` of the sources,
// which no installed package has. `pnpm release` sets the variable. In plain JavaScript, for the Node of any npm.
if (process.env.EPSBALL_RELEASE !== '1') {
  process.stderr.write('epsball: npm publish would publish the exports of the sources; publish with pnpm release\n');
  process.exitCode = 1;
}
