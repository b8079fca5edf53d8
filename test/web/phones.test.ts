/** Which numbers of a text can be called. */
import { expect, test } from 'bun:test'
import { phoneParts } from '#web/form/phones'

const called = (text: string) => phoneParts(text).flatMap(({ call }) => call ?? [])

test.each([
  ['Your pain is strong. Call the ward now: +49 30 450-50.', ['+493045050']],
  ['Ward: 030 / 450 50 12 or 0171 2345678', ['030450501 2'.replace(' ', ''), '01712345678']],
  ['(030) 450 5012', ['0304505012']],
  ['Call 112 at once', ['112']],
  ['116 117 or 116117', ['116117', '116117']],
  ['In an emergency dial 911.', ['911']],
  ['اتصل بالرقم ٠٣٠ ٤٥٠٥٠ الآن', ['03045050']],
  ['Ring tel:4711 (the ward)', ['4711']],
  ['call 555-123-4567!', ['5551234567']],
  // What only looks like one.
  ['Take 120 mg at 10:30, at most 3 times', []],
  ['It was 38.5 °C on 2026-03-02 or 02.03.2026', []],
  ['Wait for 120 minutes, then 112 ml', []],
  ['Take 100000 units', []],
  ['Your score is 85 of 100, which is 110 points less', []],
  ['Your score is 112.', []],
  ['Ihr Punktwert: 110', []],
  ['Su puntuación es de 112, votre résultat est 114', []],
  ['Your score is high. Call 112!', ['112']],
  ['The number to call is 112.', ['112']],
  ['Between 60 and 180', []],
  ['Version v1234567 of P-1234567', []],
  ['half an emoji \ud83c and 12', []],
  ['1'.repeat(40), []],
] as [string, string[]][])('%s', (text, numbers) => {
  expect(called(text)).toEqual(numbers)
  // Nothing of the text is lost.
  expect(
    phoneParts(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text.replace('tel:', ''))
})
