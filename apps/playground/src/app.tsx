import type {JSX} from 'preact';
import {Compare} from './compare/compare.tsx';
import {Designs} from './designs/designs.tsx';
import {Explore} from './explore/explore.tsx';
import {Facts} from './facts.tsx';
import {formatLink, type View} from './state/link.ts';
import {link, rejectedKeys, setLink} from './state/linkState.ts';
import {Stream} from './stream/stream.tsx';
import {theme, toggleTheme} from './state/theme.ts';

const TABS: readonly (readonly [view: View, title: string])[] = [
  ['explore', 'Explore'],
  ['compare', 'Compare'],
  ['designs', 'How it works'],
  ['stream', 'Stream'],
];

export function App(): JSX.Element {
  const {view} = link.value;
  return (
    <>
      <header class="bar">
        <h1>
          <img src="./icon.svg" alt="" width="22" height="22" /> epsball <span class="quiet">playground</span>
        </h1>
        <nav aria-label="Views">
          {TABS.map(([name, title]) => (
            <a
              key={name}
              href={formatLink({...link.value, view: name})}
              aria-current={view === name ? 'page' : undefined}
              onClick={(event) => {
                event.preventDefault();
                setLink({view: name});
              }}
            >
              {title}
            </a>
          ))}
        </nav>
        <button type="button" class="plain" onClick={toggleTheme} aria-label="Switch between light and dark">
          {theme.value === 'dark' ? '☀' : '☾'}
        </button>
      </header>
      {rejectedKeys.value.length > 0 && (
        <p class="notice" role="status">
          The link has values that are not allowed: {rejectedKeys.value.join(', ')}. Defaults are shown instead.
        </p>
      )}
      <main>
        {view === 'explore' && <Explore />}
        {view === 'compare' && <Compare />}
        {view === 'designs' && <Designs />}
        {view === 'stream' && <Stream />}
      </main>
      <Facts />
    </>
  );
}
