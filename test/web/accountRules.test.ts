/** What the pages of the account say of devices and passwords. */
import { expect, test } from 'bun:test'
import { deviceText } from '#web/site/account/devices'
import { lengthOf } from '#web/site/account/passwordLength'
import { loadTranslator } from '#web/site/account/texts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each<[device: string | null, text: string]>([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/144.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/144.0.0.0 Safari/537.36 Edg/144.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/120.0 Safari/537.36 OPR/106.0.0.0`, 'Opera on Linux'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Linux'],
  [
    `Mozilla/5.0 (Linux; Android 16; SM-S931B) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/130.0 Mobile/15E148 Safari/605.1.15',
    'Firefox on iPad',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/27.0 Safari/605.1.15',
    'Safari on Mac',
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/144.0 Safari/537.36`, 'Chrome on ChromeOS'],
  ['curl/8.5.0', 'curl'],
  ['python-requests/2.32', 'python-requests'],
  ['Mozilla/5.0', 'Unknown device'],
  ['<img src=x onerror=alert(1)>', 'Unknown device'],
  ['', 'Unknown device'],
  [null, 'Unknown device'],
])('%p is %p', async (device, text) => expect(deviceText(await loadTranslator('en'), device)).toBe(text))

test.each<[password: string, level: number]>([
  ['', 0],
  ['123456789', 0],
  ['1234567890', 1],
  // Each of them is one character, as for the server.
  ['😀'.repeat(9), 0],
  ['😀'.repeat(10), 1],
  ['x'.repeat(13), 1],
  ['x'.repeat(14), 2],
  ['x'.repeat(19), 2],
  ['x'.repeat(20), 3],
])('the length of %p is of level %d', (password, level) => expect(lengthOf(password)).toBe(level as 0))
