import type {TopLevelSpec} from 'vega-lite';

// Parts of a layered specification of Vega-Lite.
export type Layers = Extract<TopLevelSpec, {layer: unknown}>['layer'];
type Encoding = NonNullable<Extract<Layers[number], {mark: unknown}>['encoding']>;
export type Position = NonNullable<Encoding['x']>;
export type Color = NonNullable<Encoding['color']>;
export type Axis = Exclude<Extract<Position, {axis?: unknown}>['axis'], undefined>;
