/** Outlines of the shapes in pictures. */
import type { Contour, Point } from './canvas.ts'

/** A rectangle by two corners, with round ones of this radius. */
export function plate([left, top]: Point, [right, bottom]: Point, radius = 0): Contour {
  if (radius === 0) return corners([left, top], [right, bottom])
  return corners([left + radius, top + radius], [right - radius, bottom - radius]).flatMap(([x, y], corner) =>
    arc([x, y], radius, corner),
  )
}

const corners = ([left, top]: Point, [right, bottom]: Point): Contour => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
]

/** Points of a quarter of a circle. */
const ARC_POINTS = 8

/** A quarter of a circle, clockwise from that at the upper left. */
const arc = ([x, y]: Point, radius: number, quarter: number): Contour =>
  Array.from({ length: ARC_POINTS + 1 }, (_, at) => {
    const angle = Math.PI * (1 + (quarter + at / ARC_POINTS) / 2)
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
  })

export const disc = ([x, y]: Point, radius: number): Contour =>
  plate([x - radius, y - radius], [x + radius, y + radius], radius)

/** A line through points, so many pixels thick, with round joints. */
export function stroke(points: readonly Point[], thick: number): readonly Contour[] {
  const joints = points.map((point) => disc(point, thick / 2))
  return points.slice(1).flatMap((to, at) => {
    const from = points[at] ?? to
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1
    const [dx, dy] = [((to[0] - from[0]) / length) * (thick / 2), ((to[1] - from[1]) / length) * (thick / 2)]
    const side: Contour = [
      [from[0] + dy, from[1] - dx],
      [to[0] + dy, to[1] - dx],
      [to[0] - dy, to[1] + dx],
      [from[0] - dy, from[1] + dx],
    ]
    return [side, joints[at + 1] ?? []]
  })
}
