// Writes a new pixel.
flat in uvec4 newColor;
flat in uvec2 newFact;
layout(location = 0) out uvec4 pixel;
layout(location = 1) out uint confidence;
layout(location = 2) out uint origin;

void main() {
  pixel = newColor;
  confidence = newFact.x;
  origin = newFact.y;
}
