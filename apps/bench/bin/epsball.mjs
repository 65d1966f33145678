#!/usr/bin/env node
import {start} from '@epsball/cli/start';

await start(import.meta.url);
