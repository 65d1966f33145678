export {describeDbscan, describeDbscanCases, type SomeCases} from './conformance.ts';
export {describeDbscanProperties} from './properties.ts';
export type {DbscanSubject} from './subject.ts';
export {describeReadme, type ReadmeScope} from './readme.ts';
