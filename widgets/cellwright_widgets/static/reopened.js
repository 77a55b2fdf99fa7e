// A run that is over is drawn over the place of its record.
function initialize({ model }) {
  return overPlaces(model, render);
}
