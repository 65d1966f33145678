export {faultsOf} from './axe.ts';
export {bundlePage} from './bundlePage.ts';
export {CHROMIUM_FLAGS, findChromium} from './chromium.ts';
export {Pages} from './pages.ts';
