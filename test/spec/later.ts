/** Operations of the specification that are not implemented yet. The list gets shorter until it is empty. */
export const later: readonly string[] = []
