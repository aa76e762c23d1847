/* Tables of 256 colours, each [red, green, blue] from 0 to 255. */
const stops = {
  grey: [[0, 0, 0], [255, 255, 255]],
  signed: [[150, 215, 255], [40, 120, 230], [8, 8, 12], [215, 70, 40], [255, 205, 130]],
  heat: [[10, 5, 40], [70, 15, 100], [150, 40, 100], [220, 85, 60], [250, 160, 40], [250, 250, 160]],
};

function between(list, place) {
  const at = place * (list.length - 1), first = Math.min(Math.floor(at), list.length - 2), share = at - first;
  return [0, 1, 2].map((c) => Math.round(list[first][c] + share * (list[first + 1][c] - list[first][c])));
}

/* For angles: colours of like lightness around a circle. */
function aroundCircle(place) {
  const angle = 2 * Math.PI * place;
  return [0, 1, 2].map((c) => Math.round(132 + 112 * Math.cos(angle - (2 * Math.PI * c) / 3)));
}

const tables = { circle: Array.from({ length: 256 }, (_, i) => aroundCircle(i / 256)) };
for (const name of Object.keys(stops)) tables[name] = Array.from({ length: 256 }, (_, i) => between(stops[name], i / 255));

const colourNames = { grey: "grey", signed: "blue to red", heat: "heat", circle: "circle" };
