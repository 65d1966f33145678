// Import first: pools of this process then get their orders as messages, as in a bundle.
import {host} from '#host';
import {nodeMessageThreads} from './messageThreadsOf.ts';

host.createThreads = nodeMessageThreads;
