/** The pages of staff. */

import { staffLanguages } from '#web/console/lang/staffLanguages'
import type { FrontEnd } from '#web/kit/frontEnd'

export const staffConsole: FrontEnd = {
  name: 'console',
  script: 'console/console.tsx',
  styles: ['console/console.css'],
  texts: ['kit/signIn/lang', 'console/lang/shell'],
  languages: staffLanguages,
  // The areas within are found by the script (`shell/areas.ts`).
  path: [/^\/console(\/.*)?$/],
  budget: 60,
}
