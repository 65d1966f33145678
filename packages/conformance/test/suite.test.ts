import {describeDbscan, describeDbscanProperties} from '@epsball/conformance/suite';
import {sweepAlgorithm} from './sweepAlgorithm.ts';

// The suites accept a DBSCAN that shares no code with the oracle; the mutants show what they reject.
const subject = {id: 'sweep', maxDim: 64, create: async () => sweepAlgorithm(64)};
describeDbscan(subject);
describeDbscanProperties(subject);
