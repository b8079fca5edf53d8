/** Where the person is: the address is the state of the console. No page is loaded from the server in between. */
import { computed, signal } from '@preact/signals'

const here = () => ({ path: location.pathname.replace(/(.)\/+$/, '$1'), search: location.search })

const place = signal(here())

/** The path of the page, without a slash at its end. */
export const path = computed(() => place.value.path)
/** What the address says besides: filters, order, what is selected. Never anything personal. */
export const query = computed(() => new URLSearchParams(place.value.search))
/** How often the person came to another page: its heading then gets the focus. */
export const navigations = signal(0)

function arrive(): void {
  const before = place.peek().path
  place.value = here()
  if (place.peek().path !== before) navigations.value++
}

/** Follows the browser's buttons, and the links to pages of the console. */
export function followAddress(): void {
  addEventListener('popstate', arrive)
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const hasOther = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0
    if (!link || hasOther || event.defaultPrevented || link.target || !link.href) return
    const { origin, pathname, search } = new URL(link.href)
    if (origin !== location.origin || !/^\/console(\/|$)/.test(pathname)) return
    event.preventDefault()
    go(pathname + search)
  })
}

/** Goes to an address. @param how `replace` where *back* should not lead to the present one */
export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  if (to !== location.pathname + location.search) history[`${how}State`](null, '', to)
  arrive()
}

/** Changes parts of the query; `undefined` takes one out. Others stay as they are. */
export function setQuery(
  changes: Readonly<Record<string, string | undefined>>,
  how: 'push' | 'replace' = 'push',
): void {
  const next = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  const search = next.size ? `?${next}` : ''
  go(location.pathname + search, how)
}

/** The address of a page below a study. */
export const pathIn = (study: string, ...parts: readonly string[]): string =>
  ['/console', study, ...parts].map((each, at) => (at ? encodeURIComponent(each) : each)).join('/')
