/** Where the person is in the app: the path below `/app/`. */
import { signal } from '@preact/signals'

const BASE = '/app/'

const here = (): string => (location.pathname.startsWith(BASE) ? location.pathname.slice(BASE.length) : '')

/** The path without `/app/`, such as `stages/abc::2`; empty for the first page. */
export const route = signal(here())

/** Goes to a page of the app. With `replace`, the page before is not kept in the history. */
export function go(path: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', BASE + path)
  else history.pushState(null, '', BASE + path)
  route.value = here()
}

/** Follows the browser's buttons, and links to pages of the app. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    route.value = here()
  })
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.target || link.download || link.origin !== location.origin) return
    if (!link.pathname.startsWith(BASE)) return
    event.preventDefault()
    go(link.pathname.slice(BASE.length))
  })
}
