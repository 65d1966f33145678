import {describeDbscan, describeDbscanProperties} from '@epsball/conformance/suite';
import {sweepAlgorithm} from './sweepAlgorithm.ts';

// The suites accept a correct DBSCAN that shares no code with the oracle. The mutants are tested in mutants.test.ts.
const subject = {id: 'sweep', maxDim: 64, create: async () => sweepAlgorithm(64)};
describeDbscan(subject);
describeDbscanProperties(subject);
