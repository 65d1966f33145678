/** What `epsball` alone prints: what one does first, with the lines to type. */
export const FIRST_STEPS = `epsball clusters points by density.

  epsball generate moons:n=1500,seed=7 --out moons.csv            make points to try
  epsball suggest moons.csv                                       which eps?
  epsball cluster moons.csv --eps 0.2 --min-pts 5 --plot out.svg  cluster with DBSCAN
  epsball hdbscan moons.csv --min-cluster-size 20                 cluster without eps
  epsball doctor                                                  is there a GPU?

"epsball --help" lists all commands, "epsball COMMAND --help" its options.
`;
