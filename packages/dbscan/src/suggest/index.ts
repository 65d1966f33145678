export {kneeOf} from './kDistances.ts';
export {type ClusterCount, type Plateau} from './plateau.ts';
export {suggestEps, type Proposal, type SuggestOptions, type Suggestion, warningOf} from './suggest.ts';
