/**
 * Small values that the browser keeps, and whether several people use it in turn (a shared tablet, docs/shared-tablets.md). That changes
 * only when the page is loaded again. A service worker has no such storage: on a shared tablet it is given nothing to do.
 */

const KEY = 'tablet'

export const isTablet = 'localStorage' in globalThis && localStorage.getItem(KEY) !== null

/** Makes the browser a shared tablet, or a device of one person again, from the next load on. */
export function setTablet(isShared: boolean): void {
  if (isShared) localStorage.setItem(KEY, 'yes')
  else localStorage.removeItem(KEY)
}

const temporaryItems = new Map<string, string | null>()

/** Small values by name: they are kept on the device, and on a shared tablet only until the page is loaded again. */
export const smallStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = isTablet
  ? {
      getItem: (name) => (temporaryItems.has(name) ? (temporaryItems.get(name) ?? null) : localStorage.getItem(name)),
      setItem: (name, value) => void temporaryItems.set(name, value),
      removeItem: (name) => void temporaryItems.set(name, null),
    }
  : globalThis.localStorage

/** Where the app keeps who is signed in on this device: its database, the store, and the key. */
export const DATABASE = 'trialbox'
export const OWN = 'own'
export const PERSON = 'person'
