// Import first: threads of this process then start without piscina, as in a bundle.
import {host} from '#host';
import {startNodeWorker} from '../src/host/nodeThread.ts';

host.startThread = startNodeWorker;
