import type {MachineRuns} from '../front/machines.ts';
import {dbscanSection} from '../front/machines.ts';
import {loadPictures, loadRawPicture} from '../dbscan/pictures.ts';
import {variantHue} from '../variantHue.ts';
import type {Exhibit, ExhibitBuilder} from './exhibit.ts';
import {speedUpPanel, type PanelOptions} from './speedUpPanel.ts';

const ALL = 1_000_000;

const FIGURE: PanelOptions = {
  suite: 'milanesi',
  name: 'mil-fig2',
  baseline: {row: 'grid-bfs', backend: 'sequential'},
  subject: {row: 'grid-bfs', backend: 'gpu'},
  titles: ['CPU, serial', 'GPU'],
  words: ({n}) => (n === ALL ? 'circa 59×' : n < 100_000 ? 'contenuto' : ''),
  timeMarks: [
    {x: ALL, y: 68_000, text: 'document: circa 68 secondi', color: 'var(--document)'},
    {x: ALL, y: 1000, text: 'document: circa 1 secondo o poco più', color: variantHue('grid-bfs')},
  ],
  speedUpMarks: [{x: ALL, y: 59, text: 'document: circa 59×', color: 'var(--document)'}],
};

export const milanesiExhibits = {
  'mil-fig1a': (machine) => pictures(machine, loadRawPicture),
  'mil-fig1b': (machine) => pictures(machine, loadPictures),
  'mil-fig2': async (machine) => {
    const panel = await speedUpPanel(machine, FIGURE);
    return panel === null ? null : {...panel, charts: panel.charts?.filter(({name}) => name.endsWith('-time')) ?? []};
  },
  'mil-fig3': async (machine) => {
    const panel = await speedUpPanel(machine, {...FIGURE, name: 'mil-fig3'});
    return panel === null ? null : {charts: panel.charts?.filter(({name}) => name.endsWith('-speed-up')) ?? []};
  },
} satisfies Record<string, ExhibitBuilder>;

async function pictures(machine: MachineRuns, load: typeof loadPictures): Promise<Exhibit | null> {
  const section = dbscanSection(machine, 'milanesi');
  if (section === null) return null;
  const loaded = await load(section, 'mil-fig1');
  return loaded.length === 0 ? {notes: ['The picture is not kept beside this result.']} : {pictures: loaded};
}
