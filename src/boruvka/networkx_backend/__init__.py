"""A NetworkX backend that replaces its functions for spanning trees and connected components.

NetworkX finds it by the entry points of this package.
"""
