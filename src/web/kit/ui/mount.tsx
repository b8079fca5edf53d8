import { type ComponentType, type Provider, render } from 'preact'
import type { Translator } from '#web/kit/language/translator'
import { Boundary } from './boundary'
import { TranslatorProvider } from './translator'

/** Puts a component into the place that the server left for it. */
export function mountWith<S extends Translator>(
  translator: S,
  provider: Provider<S | undefined>,
  Page: ComponentType,
): void {
  const place = document.getElementById('content')
  if (!place) return
  place.replaceChildren()
  place.removeAttribute('aria-busy')
  render(
    <TranslatorProvider translator={translator} providers={[provider]}>
      <Boundary>
        <Page />
      </Boundary>
    </TranslatorProvider>,
    place,
  )
}
