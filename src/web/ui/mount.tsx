import { type ComponentType, type Provider, render } from 'preact'
import type { Speaker } from '#web/common/texts'
import { Boundary } from './boundary'
import { Speaking } from './speaking'

/** Puts a component into the place that the server left for it. */
export function mountWith<S extends Speaker>(speaker: S, provider: Provider<S | undefined>, Page: ComponentType): void {
  const place = document.getElementById('content')
  if (!place) return
  place.replaceChildren()
  place.removeAttribute('aria-busy')
  render(
    <Speaking speaker={speaker} provider={provider}>
      <Boundary>
        <Page />
      </Boundary>
    </Speaking>,
    place,
  )
}
