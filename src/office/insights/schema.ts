/** The words that the models of insights are written with. */
import { flag, id, instant, list, number, orNull, shape, text, whole, withDescription } from '#wire/schema'

const interval = {
  low: withDescription('The lower end of the 95 % interval; null if there are too few numbers.', orNull(number())),
  high: withDescription('The upper end.', orNull(number())),
}

/** An estimate with its interval and the number of values behind it. */
export const Estimate = shape('Estimate', { n: whole(0), estimate: number(), ...interval })

/** A share with its exact interval: `count` of `n`. */
export const Share = shape('Share', { n: whole(1), count: whole(0), estimate: number(0, 1), ...interval })

/** What became of forms that were due. */
export const adherenceCounts = {
  due: withDescription('Forms that are behind schedule or completed.', whole(0)),
  onTime: withDescription('Completed before they were behind schedule.', whole(0)),
  late: withDescription('Completed afterwards.', whole(0)),
  missed: withDescription('Not completed, and behind schedule.', whole(0)),
  share: withDescription('Those on time among those due; null if none were due.', orNull(Share)),
}

/** Median and quartiles. */
export const Spread = shape('Spread', {
  n: whole(0),
  median: orNull(number()),
  lowerQuartile: orNull(number()),
  upperQuartile: orNull(number()),
})

/** A text that an AI endpoint wrote. */
const GeneratedText = shape('GeneratedText', {
  _id: id(),
  createdAt: instant(),
  createdBy: id('Who asked for it.'),
  isGenerated: withDescription('Always true: a language model wrote it, and nobody has checked it.', flag()),
  model: withDescription('The model that wrote it.', text(0, 500)),
  text: text(1, 10_000),
})

export const generation = {
  texts: withDescription(
    'Texts that were generated about these numbers, newest first, at most 20.',
    list(GeneratedText, 20),
  ),
  generation: withDescription(
    'Whether a text can be asked for with POST, and what is missing if not.',
    shape('GenerationState', { isAvailable: flag(), message: text(0, 500) }),
  ),
}
