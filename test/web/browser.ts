import { existsSync } from 'node:fs'

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser for tests of pages. CI must have one; elsewhere these tests are skipped without one. */
export const chromium = PATHS.find((path) => existsSync(path))

if (!chromium && process.env.CI) throw new Error('There is no Chromium, and in CI the pages must be tested.')
if (!chromium) console.warn('Pages are not tested: there is no Chromium (on Debian: apt-get install chromium).')
