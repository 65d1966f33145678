import type {JSX} from 'preact';
import {catalogue} from '@epsball/dbscan';
import {BACKEND_CHOICES} from '../state/link.ts';
import {link, setLink} from '../state/linkState.ts';

/** Chooses variant and backend. */
export function VariantPicker(): JSX.Element {
  const {algorithm, backend} = link.value;
  const row = catalogue.find(({id}) => id === algorithm);
  return (
    <fieldset>
      <legend>Variant</legend>
      <label>
        Algorithm
        <select value={algorithm} onChange={({currentTarget}) => chooseAlgorithm(currentTarget.value)}>
          <option value="auto">auto</option>
          {catalogue.map(({id, title}) => (
            <option key={id} value={id}>
              {id}: {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        Backend
        <select
          value={backend}
          onChange={({currentTarget}) =>
            setLink({backend: BACKEND_CHOICES.find((choice) => choice === currentTarget.value) ?? 'auto'})
          }
        >
          {BACKEND_CHOICES.map((choice) => (
            <option key={choice} value={choice} disabled={!(choice === 'auto' || isOffered(choice, algorithm))}>
              {choice === 'sequential' ? 'sequential (one thread)' : choice}
            </option>
          ))}
        </select>
      </label>
      <p class="quiet small">{row ? row.summary : 'Chooses by the number of points and the devices.'}</p>
    </fieldset>
  );
}

function isOffered(backend: 'sequential' | 'workers' | 'gpu', algorithm: string): boolean {
  return algorithm === 'auto' || (catalogue.find(({id}) => id === algorithm)?.backends.includes(backend) ?? false);
}

function chooseAlgorithm(algorithm: string): void {
  const {backend} = link.value;
  const keeps = backend === 'auto' || isOffered(backend, algorithm);
  setLink({algorithm, backend: keeps ? backend : 'auto'});
}
