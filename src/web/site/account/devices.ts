/** What a browser says of itself, in words. Pure. */
import type { Translator } from './texts'

/** Each pattern before those that browsers also name to look like others: Edge says that it is Chrome, Chrome that it is Safari. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\b(Macintosh|Mac OS X)\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (text: string, names: typeof BROWSERS): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** The browser and the system; a program is named as it names itself. @param device the header `User-Agent` */
export function partsOf(device: string): { browser: string | undefined; system: string | undefined } {
  const browser = nameIn(device, BROWSERS) ?? /^[\w .-]{2,40}(?=\/\d)/.exec(device)?.[0]
  return { browser: browser === 'Mozilla' ? undefined : browser, system: nameIn(device, SYSTEMS) }
}

/** The name of a device, such as "Firefox on Windows". */
export function deviceText({ t }: Translator, device: string | null): string {
  const { browser, system } = partsOf(device ?? '')
  if (browser && system) return t('sessions.browserOn', { browser, system })
  return browser ?? system ?? t('sessions.unknown')
}
