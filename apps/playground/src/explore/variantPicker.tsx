import type {JSX} from 'preact';
import {catalogue} from '@epsball/dbscan';
import {Choice} from '../choice.tsx';
import {BACKEND_CHOICES} from '../state/link.ts';
import {link, setLink} from '../state/linkState.ts';

export function VariantPicker(): JSX.Element {
  const {method, backend} = link.value;
  const algorithm = method === 'dbscan' ? link.value.algorithm : 'auto';
  const row = catalogue.find(({id}) => id === algorithm);
  return (
    <fieldset>
      <legend>Variant</legend>
      {method === 'dbscan' && (
        <label>
          Algorithm
          <Choice
            value={algorithm}
            options={[['auto', 'auto'], ...catalogue.map(({id, title}) => [id, `${id}: ${title}`] as const)]}
            onChoose={chooseAlgorithm}
          />
        </label>
      )}
      <label>
        Backend
        <Choice
          value={backend}
          options={BACKEND_CHOICES.map((choice) => [
            choice,
            choice === 'sequential' ? 'sequential (one thread)' : choice,
            !(choice === 'auto' || isOffered(choice, algorithm)),
          ])}
          onChoose={(text) => setLink({backend: BACKEND_CHOICES.find((choice) => choice === text) ?? 'auto'})}
        />
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
