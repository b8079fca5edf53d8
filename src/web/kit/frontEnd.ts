/** What a front end says of itself. What bundles, measures and serves the pages goes by these values. */

import type { Language } from '#web/kit/language/languages'

/** Pages that load the same script. Files and folders are below `src/web`. */
export type FrontEnd = {
  /** By which the script is known: `/web/<name>-<digest>.js`. */
  name: string
  /** Absent for pages that the server writes whole. */
  script?: string
  styles: readonly string[]
  /** The folders of the texts that its script loads first, besides those of all pages. Each has a file for each language. */
  texts: readonly string[]
  /** The languages of its own texts, if they are not all. */
  languages?: readonly Language[]
  /** The addresses of its pages. */
  path: readonly RegExp[]
  /** The most kilobytes, compressed, of scripts, styles and texts when a page is opened for the first time; absent where they are not ours. */
  budget?: number
  /** Parts that are loaded when somebody comes to them, by their sources: the most kilobytes that each adds, compressed. */
  areas?: Readonly<Record<string, number>>
  offline?: Offline
}

/** What is kept on the device for when there is no connection: everything that the script may ever load. */
export type Offline = {
  /** The page that answers within the front end. */
  page: string
  /** The service worker: its address, and the files that are joined in it. */
  worker: { path: string; parts: readonly string[]; without: readonly string[] }
  /** Folders of texts that are loaded later. */
  laterTexts: readonly string[]
  /** Parts that not every device keeps, by group: folders, files or packages. */
  some: Readonly<Record<string, readonly string[]>>
  /** The most kilobytes, compressed, that every device keeps with the texts of a second language and what older browsers need. */
  budget: number
  /** Those of the groups of which a device keeps more than that. */
  budgets: Readonly<Record<string, number>>
}
