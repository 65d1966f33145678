// Writes the table of every table, figure, listing and claim of the documents into docs/papers.md.
import {readFileSync, writeFileSync} from 'node:fs';
import {withPaperTable} from '../src/index.ts';

const file = new URL('../../docs/papers.md', import.meta.url);
writeFileSync(file, withPaperTable(readFileSync(file, 'utf8')));
