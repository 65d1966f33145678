export {hullsToGeoJson, toGeoJson, type GeoJsonOptions, type HullProperties, type PointProperties} from './geojson.ts';
export {clusterSizes, groupArrays, groups, type Groups} from './groups.ts';
export {boxes, centroids, convexHulls, type Boxes} from './shapes.ts';
