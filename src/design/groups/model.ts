import { id, instant, joinShapes, list, maybe, oneLine, orNull, shape, text, withDescription } from '#wire/schema'

/** See docs/participants.md, "Sites and groups". */
export const GroupInput = shape('GroupInput', {
  name: oneLine(2, 100),
  colour: maybe(withDescription('A colour name or hex value.', orNull(text(1, 40)))),
})

export const Group = joinShapes('Group', shape({ _id: id(), createdAt: instant(), trial: id() }), GroupInput)

export const Groups = shape('Groups', { groups: list(Group) })
